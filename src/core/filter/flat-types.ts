/** The type of an expression, as the library describes it. */
interface Type {
  /** The type of the elements of a list, or of the values of a map. */
  readonly valueType?: Type;
}

/** The registry of types that the library's checker and evaluator share. */
export interface TypeRegistry {
  getType(name: string): Type;
  getListType(valueType: Type): Type;
  getMapType(keyType: Type, valueType: Type): Type;
}

/**
 * Keeps the types of lists and maps flat. A list or map inside a list or map has the type `dyn`,
 * and is checked during the evaluation.
 *
 * The library builds the name of a type from the names of all types in it, and keeps every type
 * forever. The name for 20 levels of `.map(a, {a: a})` had a million characters and took four
 * seconds. Each new shape of metadata stayed in RAM.
 */
export function keepTypesFlat(registry: TypeRegistry): void {
  const dyn = registry.getType("dyn");
  const flat = (type: Type): Type => (type.valueType === undefined ? type : dyn);
  const getListType = registry.getListType.bind(registry);
  const getMapType = registry.getMapType.bind(registry);
  const flatList: TypeRegistry["getListType"] = (valueType) => getListType(flat(valueType));
  const flatMap: TypeRegistry["getMapType"] = (keyType, valueType) =>
    getMapType(flat(keyType), flat(valueType));
  registry.getListType = flatList;
  registry.getMapType = flatMap;
}
