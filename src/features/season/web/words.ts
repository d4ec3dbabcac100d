import { formatCents } from '../../../shared/money.ts'
import type { SeasonAcceptance, SeasonSum } from '../contract.ts'

/** Numbers of a season in the words of the screen. */

const number = (n: number, digits = 0): string =>
  n.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits })

/** "12.4 h". */
export const hours = (seconds: number): string => `${number(seconds / 3600, Math.abs(seconds) < 360_000 ? 1 : 0)} h`
export const miles = (meters: number): string => `${number(meters / 1609.344)} mi`
export const dollars = (cents: number): string => formatCents(Math.round(cents / 100) * 100).replace(/\.00$/, '')
export const count = (n: number, one: string, many = `${one}s`): string => `${number(n)} ${n === 1 ? one : many}`

/** What became of the letters of a step: "8 letters wait to leave", "3 told", "no letter left, nobody was told". */
export const lettersText = ({ waiting, left, stayed }: SeasonAcceptance['letters']): string =>
  waiting + left + stayed === 0
    ? ''
    : waiting + left === 0
      ? 'no letter left, nobody was told'
      : [
          left > 0 ? `${number(left)} told` : '',
          waiting > 0 ? `${count(waiting, 'letter waits', 'letters wait')} to leave` : '',
        ]
          .filter(Boolean)
          .join(', ')

/** "38% less driving", "6% more driving", or "as much driving". */
export const compared = (before: SeasonSum, after: SeasonSum): string => {
  const percent = Math.round((1 - after.driveSecondsYear / Math.max(1, before.driveSecondsYear)) * 100)
  return percent === 0 ? 'as much driving' : percent > 0 ? `${percent}% less driving` : `${-percent}% more driving`
}

/** The colors of weekdays on the map; the pin says the day as well. */
export const dayColor = (day: number): string => `var(--crew-${((day + 6) % 7) + 1})`
