/** How much of a plan stands on estimates. */
export const estimatedShares = ['none', 'some', 'all'] as const
export type EstimatedShare = (typeof estimatedShares)[number]

/** The share of estimated drives among those that a plan really drives. A plan without a drive has none to be wrong. */
export const estimatedShare = (estimated: number, drives: number): EstimatedShare =>
  estimated === 0 ? 'none' : estimated < drives ? 'some' : 'all'

/** What a planner is told about where drive times come from; null when every one is from roads. */
export const estimateMessage = (share: EstimatedShare): string | null =>
  share === 'none' ? null : share === 'all' ? 'drives estimated from distance' : 'some drives estimated from distance'
