declare const positionBrand: unique symbol;
declare const matchBrand: unique symbol;

/** Position of a candidate in the parallel arrays of `Candidates`, from 0. */
export type Position = number & { readonly [positionBrand]: never };

/** Number of a match in the order in which `Matches.add` received it, from 0. */
export type MatchNumber = number & { readonly [matchBrand]: never };
