import { z } from 'zod'
import { daysBetween, isDay, weekdayOf } from '../../../shared/dates.ts'
import { endpoint } from '../../../shared/endpoint.ts'
import { codedItems, presets, roundings } from './rules.ts'

const Day = z.string().refine(isDay, 'Use a day like 2026-06-12.')
/** Whole weeks: overtime and approval go by the week. */
export const Period = z
  .object({ from: Day, to: Day })
  .refine(({ from, to }) => weekdayOf(from) === 1 && weekdayOf(to) === 0, {
    path: ['from'],
    message: 'A payroll has whole weeks, Monday to Sunday.',
  })
  .refine(({ from, to }) => to > from && daysBetween(from, to) < 42, {
    path: ['to'],
    message: 'Pick one to six weeks.',
  })

const cents = z.number().int()

export const PayPerson = z.object({
  userId: z.uuid(),
  name: z.string(),
  number: z.string(),
  regularSeconds: z.number(),
  overtimeSeconds: z.number(),
  doubleSeconds: z.number(),
  lawns: z.number().int(),
  pieceCents: cents,
  bonusCents: cents,
  /** Paid time off, in the gross pay. */
  offSeconds: z.number(),
  offCents: cents,
  /** Premium hours for meals that nobody had, in the gross pay. */
  mealCents: cents,
  /** What overtime and double time add. */
  premiumCents: cents,
  grossCents: cents,
  /** Pay with burden. */
  costCents: cents,
  tenthMiles: z.number().int(),
  mileageCents: cents,
  /** On some day worked they had no wage of their own; the usual one counts. */
  usualWage: z.boolean(),
  /** What lawns came to is under the federal minimum for the hours. */
  belowMinimum: z.boolean(),
  /** Wages by the hour in this period. */
  rates: z.array(cents),
})
export type PayPerson = z.output<typeof PayPerson>

export const PayrollSettings = z.object({
  overtime: z.enum(['state', 'own']),
  weeklyHours: z.number().int().min(1).max(40, 'The federal law pays overtime over 40 hours at the latest.'),
  dailyHours: z.number().int().min(1).max(24).nullable(),
  doubleHours: z.number().int().min(1).max(24).nullable(),
  roundingMinutes: z.literal(roundings),
  preset: z.enum(presets),
  companyCode: z.string().trim().max(20),
  mileTenthCents: z.number().int().min(0).max(5000),
  /** Earning codes that are others at this business's provider; a preset's own where none is given. */
  codes: z.partialRecord(z.enum(presets), z.partialRecord(z.enum(codedItems), z.string().trim().max(40))).default({}),
})
export type PayrollSettings = z.output<typeof PayrollSettings>

const Saved = PayrollSettings.extend({ version: z.number().int(), stateRule: z.string(), stateNote: z.string() })
export type SavedPayrollSettings = z.output<typeof Saved>

const office = { access: 'office', permission: 'payroll' } as const

export const payrollApi = {
  period: endpoint({
    method: 'GET',
    path: '/api/payroll',
    ...office,
    query: Period,
    response: z.object({
      from: Day,
      to: Day,
      /** Weeks that are locked: their pay stands as it was locked. */
      locked: z.array(Day),
      /** Weeks that were locked before pay was kept, and when theirs was put down. */
      keptLater: z.array(z.object({ week: Day, at: z.string() })),
      /** Weeks with time that nobody has approved: not in the sums. */
      notApproved: z.array(z.object({ userId: z.uuid(), name: z.string(), week: Day })),
      people: z.array(PayPerson),
    }),
    summary: 'Approved time of whole weeks, as it is paid',
  }),
  settings: endpoint({ method: 'GET', path: '/api/payroll/settings', ...office, response: Saved }),
  saveSettings: endpoint({
    method: 'PUT',
    path: '/api/payroll/settings',
    ...office,
    idempotent: true,
    body: PayrollSettings.extend({ version: z.number().int() }),
    response: Saved,
    summary: 'How the payroll counts, rounds and writes',
  }),
  setNumber: endpoint({
    method: 'PUT',
    path: '/api/employees/:id/payroll-number',
    ...office,
    idempotent: true,
    params: z.object({ id: z.uuid() }),
    body: z.object({ number: z.string().trim().max(20) }),
    response: z.object({ userId: z.uuid(), number: z.string() }),
    summary: 'The number of a person at the payroll provider; empty takes it off',
  }),
  setMiles: endpoint({
    method: 'PUT',
    path: '/api/employees/:id/own-miles',
    ...office,
    idempotent: true,
    params: z.object({ id: z.uuid() }),
    body: z.object({
      day: Day,
      tenthMiles: z.number().int().min(0).max(10_000, 'Type up to 1,000 miles.'),
      note: z.string().trim().max(200).default(''),
    }),
    response: z.object({ userId: z.uuid(), day: Day, tenthMiles: z.number().int(), note: z.string() }),
    summary: 'Miles of a day in an own car; none takes them off. Refused once the week is locked',
  }),
  visitLabor: endpoint({
    method: 'GET',
    path: '/api/visits/:visitId/labor',
    ...office,
    params: z.object({ visitId: z.uuid() }),
    response: z.object({
      people: z.array(z.object({ userId: z.uuid(), name: z.string(), seconds: z.number(), costCents: cents })),
      seconds: z.number(),
      costCents: cents,
    }),
    summary: 'Who was on the clock at a visit, for how long, and what that cost',
  }),
}
