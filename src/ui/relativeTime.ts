const steps: [limitSeconds: number, unitSeconds: number, unit: string][] = [
  [3_600, 60, 'min'],
  [86_400, 3_600, 'h'],
  [604_800, 86_400, 'day'],
  [2_629_800, 604_800, 'week'],
  [31_557_600, 2_629_800, 'month'],
  [Infinity, 31_557_600, 'year'],
]

/** "just now", "12 min ago", "2 h ago", "in 3 days". */
export const relativeTime = (instantMs: number, nowMs: number): string => {
  const seconds = Math.round((nowMs - instantMs) / 1000)
  const size = Math.abs(seconds)
  if (size < 45) return 'just now'
  const [, unitSeconds, unit] = steps.find(([limit]) => size < limit) as [number, number, string]
  const count = Math.max(1, Math.floor(size / unitSeconds))
  const words = `${count} ${unit}${count > 1 && unit.length > 3 ? 's' : count > 1 && unit === 'day' ? 's' : ''}`
  return seconds >= 0 ? `${words} ago` : `in ${words}`
}
