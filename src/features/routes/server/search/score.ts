/** How a plan does against another: what it leaves out, whether it breaks rules, what it costs on the road and in changes. */
export type Score = { unserved: number; broken: boolean; cents: number }

/** A plan that breaks no rule before one that does, then more visits, then less money. A tie keeps the old one. */
export const isBetter = (next: Score, old: Score): boolean => {
  if (next.broken !== old.broken) return old.broken
  if (next.unserved !== old.unserved) return next.unserved < old.unserved
  return next.cents < old.cents
}
