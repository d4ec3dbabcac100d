import { formatDay } from '../../../shared/dates.ts'
import type { Equipment, ServicePlan } from '../contract.ts'
import { kindLabel, type Meter, meterUnit, readingText } from '../rules.ts'

type Due = ServicePlan['due']

/** "Every 50 h or 12 months". */
export const everyText = (
  { everyTenths, everyMonths }: Pick<ServicePlan, 'everyTenths' | 'everyMonths'>,
  meter: Meter | null,
): string => {
  const by = [
    everyTenths !== null && meter ? readingText(everyTenths, meter) : '',
    everyMonths === null ? '' : everyMonths === 1 ? 'month' : `${everyMonths} months`,
  ]
  return `Every ${by.filter(Boolean).join(' or ')}`
}

/** "in 12 h, about Tue, Jun 23". */
export const dueText = (due: Due, meter: Meter | null): string => {
  const { leftTenths, on, foreseen } = due
  const left =
    leftTenths === null || meter === null
      ? ''
      : leftTenths > 0
        ? `in ${readingText(leftTenths, meter)}`
        : leftTenths === 0
          ? 'now'
          : `${readingText(-leftTenths, meter)} over`
  const day = on && !(leftTenths !== null && leftTenths <= 0) ? `${foreseen ? 'about ' : ''}${formatDay(on)}` : ''
  return [left, day].filter(Boolean).join(', ') || 'when its meter was read'
}

export const dueTone = { overdue: 'late', soon: 'wait', later: 'neutral' } as const

/** "Mower · Scag Turf Tiger II". */
export const whatText = ({ kind, model }: Pick<Equipment, 'kind' | 'model'>): string =>
  [kindLabel[kind], model].filter(Boolean).join(' · ')

/** Hours or miles as typed, in tenths. */
export const toTenths = (value: number | null): number | null => (value === null ? null : Math.round(value * 10))
export const fromTenths = (tenths: number | null): number | null => (tenths === null ? null : tenths / 10)
export const unitOf = (meter: Meter | null): string => (meter ? meterUnit[meter] : '')
