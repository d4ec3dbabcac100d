import { addMonths, type Day, monthNames } from '../../../shared/dates.ts'
import { recordParam } from '../../../shared/links.ts'
import { useParams } from '../../../ui/useParams.ts'
import { type Method, methodNames, spanOfMonth } from '../rules.ts'
import type { ExpenseQuery } from './data.ts'

export const views = [
  { id: 'list', name: 'Expenses' },
  { id: 'review', name: 'To review' },
  { id: 'recurring', name: 'Recurring' },
  { id: 'mileage', name: 'Mileage' },
  { id: 'year', name: 'By month' },
] as const

const uuid = /^[0-9a-f-]{36}$/i
const month = /^\d{4}-(0[1-9]|1[0-2])$/
const sorts = ['day', 'total', 'vendor'] as const

export const monthLabel = (text: string): string => `${monthNames[Number(text.slice(5, 7)) - 1]} ${text.slice(0, 4)}`

/** What the list can be narrowed to in time: the last 13 months, this year and the one before. */
export const spans = (today: Day): { value: string; label: string }[] => {
  const year = Number(today.slice(0, 4))
  return [
    ...Array.from({ length: 13 }, (_, back) => addMonths(`${today.slice(0, 7)}-01`, -back).slice(0, 7)).map(
      (value) => ({
        value,
        label: monthLabel(value),
      }),
    ),
    ...[year, year - 1].map((one) => ({ value: String(one), label: `All of ${one}` })),
  ]
}

const spanOf = (text: string, today: Day): { from: Day; to: Day } =>
  month.test(text)
    ? spanOfMonth(`${text}-01`)
    : /^20\d\d$/.test(text)
      ? { from: `${text}-01-01`, to: `${text}-12-31` }
      : spanOfMonth(today)

/** What the address bar says of the list. Unknown values are as if they were not there. */
export const readPlace = (params: URLSearchParams, today: Day) => {
  const id = (key: string) => (uuid.test(params.get(key) ?? '') ? (params.get(key) as string) : null)
  const view = views.find((one) => one.id === params.get('view'))?.id ?? 'list'
  const [by, direction] = (params.get('sort') ?? '').split('.')
  const asked = params.get('in') ?? ''
  const method = methodNames.find((one): one is Method => one === params.get('paidBy')) ?? null
  const filter = {
    categoryId: id('category'),
    crewId: id(recordParam.crew),
    vehicle: (params.get('truck') ?? '').slice(0, 60) || null,
    jobId: id(recordParam.job),
    vendor: (params.get('vendor') ?? '').slice(0, 120) || null,
    method,
    paidByUserId: id(recordParam.person),
    search: (params.get('search') ?? '').slice(0, 100) || null,
  }
  const chosen = Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== null))
  const query: ExpenseQuery = {
    ...spanOf(asked, today),
    ...chosen,
    ...(view === 'review' ? { review: 'true' as const } : {}),
    sort: sorts.find((one) => one === by) ?? 'day',
    order: direction === 'asc' ? 'asc' : 'desc',
  }
  return {
    view,
    query,
    filter,
    span: month.test(asked) || /^20\d\d$/.test(asked) ? asked : today.slice(0, 7),
    month: month.test(asked) ? asked : today.slice(0, 7),
    // A link that was cut off opens the panel too, which says so.
    expenseId: params.get(recordParam.expense) || null,
    makesOne: params.get('new') === '1',
    narrowed: Object.keys(chosen).length > 0,
  }
}

/** The place, and a way to change parts of it. A null takes a key away. */
export const usePlace = (today: Day) => {
  const { params, change } = useParams()
  return { ...readPlace(params, today), change }
}
