import type { Day } from '../../../shared/dates.ts'
import type { Choice } from '../../../ui/ComboboxField.tsx'
import type { Expense } from '../contract.ts'
import type { Method } from '../rules.ts'
import type { ExpenseBody } from './data.ts'

export type PartValues = {
  amountCents: number | null
  crewId: string
  vehicle: string
  job: Choice | null
  visitId: string | null
}
export type Values = {
  day: Day | null
  categoryId: string
  vendor: string
  totalCents: number | null
  taxCents: number | null
  method: Method
  paidByUserId: string
  reimbursedOn: Day | null
  note: string
  parts: PartValues[]
}

export const emptyPart: PartValues = { amountCents: null, crewId: '', vehicle: '', job: null, visitId: null }

/** What the form of an expense begins with; one that came by mail has no sum yet. */
export const valuesOf = (expense: Expense | null, today: Day): Values =>
  expense
    ? {
        day: expense.day,
        categoryId: expense.category.id,
        vendor: expense.vendor,
        totalCents: expense.totalCents || null,
        taxCents: expense.taxCents || null,
        method: expense.method,
        paidByUserId: expense.paidBy?.id ?? '',
        reimbursedOn: expense.reimbursedOn,
        note: expense.note,
        parts: expense.parts.map((part) => ({
          amountCents: part.amountCents,
          crewId: part.crew?.id ?? '',
          vehicle: part.vehicle,
          job: part.job ? { value: part.job.id, label: part.job.label } : null,
          visitId: part.visitId,
        })),
      }
    : {
        day: today,
        categoryId: '',
        vendor: '',
        totalCents: null,
        taxCents: null,
        method: 'card',
        paidByUserId: '',
        reimbursedOn: null,
        note: '',
        parts: [emptyPart],
      }

/** As it is sent. A single part is the whole, whatever its own sum says. */
export const bodyOf = (values: Values): Omit<ExpenseBody, 'isAnother' | 'exceptionReason'> => {
  const totalCents = values.totalCents ?? 0
  const personal = values.method === 'personal'
  return {
    day: values.day ?? '',
    categoryId: values.categoryId,
    vendor: values.vendor,
    note: values.note,
    totalCents,
    taxCents: values.taxCents ?? 0,
    method: values.method,
    paidByUserId: personal ? values.paidByUserId || null : null,
    reimbursedOn: personal ? values.reimbursedOn : null,
    parts: values.parts.map((part) => ({
      amountCents: values.parts.length === 1 ? totalCents : (part.amountCents ?? 0),
      crewId: part.crewId || null,
      vehicle: part.vehicle,
      jobId: part.job?.value ?? null,
      visitId: part.visitId,
    })),
  }
}
