import type { SeasonProperty } from './season-problem.ts'

const modulo = (n: number, by: number): number => ((n % by) + by) % by

/** Seconds on site of a property for a crew in a week of the cycle, wherever its rhythm begins now. */
export function serviceSecondsOf(property: SeasonProperty, crewId: string, week: number): number {
  const { serviceSeconds, serviceSecondsByCrew, serviceByWeek, today, everyWeeks } = property
  const usual = serviceSecondsByCrew?.[crewId] ?? serviceSeconds
  if (!serviceByWeek?.length || !today) return Math.max(0, Math.round(usual))
  const ahead = modulo(week - today.week, everyWeeks)
  const moved = ahead === 0 ? 0 : ahead - everyWeeks
  const own = serviceByWeek[modulo(week - moved, serviceByWeek.length)]
  return Math.max(0, Math.round(own?.byCrew?.[crewId] ?? own?.seconds ?? usual))
}

/** Weeks until what a property takes begins anew. */
export function rhythmOf({ everyWeeks, serviceByWeek }: SeasonProperty): number {
  const length = serviceByWeek?.length ?? 1
  const gcd = (a: number, b: number): number => (b === 0 ? a : gcd(b, a % b))
  return (everyWeeks * length) / gcd(everyWeeks, length)
}
