/** The last commit of a user whose changes the receiver of webhooks has, as `Head` counts it. */
export interface Delivery {
  readonly epoch: string;
  readonly seq: number;
}
