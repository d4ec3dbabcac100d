import { formatDuration } from '../../../../shared/dates.ts'
import type { MinutesProposal } from '../contract.ts'

/** "38 labor hours more a month in season". */
export const monthText = (minutes: number): string => {
  const hours = Math.round(Math.abs(minutes) / 6) / 10
  return `${hours.toLocaleString('en-US')} labor ${hours === 1 ? 'hour' : 'hours'} ${minutes < 0 ? 'less' : 'more'} a month in season`
}

/** "took 60, 58, 62 and 61 minutes; 400 is left out": what a proposal goes by. */
export const tookText = ({ took, leftOut }: MinutesProposal): string => {
  const minutes = took.map((one) => one.minutes.toLocaleString('en-US')).join(', ')
  return `Last ${took.length} visits: ${minutes} labor minutes${leftOut > 0 ? `; ${leftOut} far from the others left out` : ''}`
}

/** "1 h 10 min". */
export const minutesText = (minutes: number): string => formatDuration(minutes * 60)
