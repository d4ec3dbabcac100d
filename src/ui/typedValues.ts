export { parseNumber } from '#src/shared/numbers.ts'

import { addDays, type Day, isDay, weekdayOf } from '#src/shared/dates.ts'

/** Cents as they stand in a field for typing: 115000 -> "1,150.00". */
export const dollarsText = (cents: number | null | undefined): string =>
  cents === null || cents === undefined
    ? ''
    : (cents / 100).toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })

/**
 * A time of day as people type it: "7", "7:15", "715", "7:15 pm", "1915", "noon".
 * A bare hour from 1 to 5 is afternoon: nobody mows at two in the morning.
 * @returns minutes since midnight, or null
 */
export const parseMinute = (text: string): number | null => {
  const clean = text.trim().toLowerCase().replaceAll('.', '')
  if (clean === 'noon') return 720
  const match = /^(\d{1,2})(?::?(\d{2}))?\s*(a|p|am|pm)?$/.exec(clean)
  if (!match) return null
  let hour = Number(match[1])
  const minute = Number(match[2] ?? 0)
  const half = match[3]?.[0]
  if (minute > 59 || hour > 23 || (half && (hour < 1 || hour > 12))) return null
  if (half === 'p' && hour < 12) hour += 12
  else if (half === 'a' && hour === 12) hour = 0
  else if (!half && hour >= 1 && hour <= 5 && !(match[1] ?? '').startsWith('0')) hour += 12
  return hour * 60 + minute
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']

const nearest = (month: number, date: number, today: Day): Day | null => {
  const make = (year: number) => `${year}-${String(month).padStart(2, '0')}-${String(date).padStart(2, '0')}`
  const year = Number(today.slice(0, 4))
  const candidates = [make(year), make(year + 1), make(year - 1)].filter(isDay)
  const distance = (day: Day) => Math.abs(Date.parse(day) - Date.parse(today))
  return candidates.sort((a, b) => distance(a) - distance(b))[0] ?? null
}

/**
 * A day as people type it: "2026-06-12", "6/12", "6/12/26", "jun 12", "12 June 2026", "today", "tomorrow", "fri" (the next one).
 * Without a year it is the one nearest to today.
 * @returns YYYY-MM-DD, or null
 */
export const parseDay = (text: string, today: Day): Day | null => {
  const clean = text.trim().toLowerCase().replaceAll(',', ' ').replace(/\s+/g, ' ')
  if (isDay(clean)) return clean
  if (clean === 'today') return today
  if (clean === 'tomorrow') return addDays(today, 1)
  if (clean === 'yesterday') return addDays(today, -1)
  const words = clean.split(' ')
  const weekday = weekdays.indexOf((words[0] ?? '').slice(0, 3))
  if (weekday >= 0 && words.length === 1 && clean.length >= 3)
    return addDays(today, ((weekday - weekdayOf(today) + 6) % 7) + 1)
  const withYear = (month: number, date: number, year: string | undefined): Day | null => {
    if (year === undefined) return nearest(month, date, today)
    const day = `${year.length === 2 ? `20${year}` : year}-${String(month).padStart(2, '0')}-${String(date).padStart(2, '0')}`
    return isDay(day) ? day : null
  }
  const slash = /^(\d{1,2})[/-](\d{1,2})(?:[/-](\d{2}|\d{4}))?$/.exec(clean)
  if (slash) return withYear(Number(slash[1]), Number(slash[2]), slash[3])
  const rest = weekday >= 0 ? words.slice(1) : words
  const monthAt = rest.findIndex((word) => word.length >= 3 && months.includes(word.slice(0, 3)))
  const numbers = rest.filter((_, index) => index !== monthAt)
  if (monthAt < 0 || numbers.length < 1 || numbers.length > 2 || !numbers.every((word) => /^\d{1,4}$/.test(word)))
    return null
  return withYear(months.indexOf((rest[monthAt] ?? '').slice(0, 3)) + 1, Number(numbers[0]), numbers[1])
}
