import { z } from 'zod'
import { ageNames } from '../rules.ts'

/** The views of the list of invoices, those by age among them. */
export const InvoiceView = z.enum([
  'all',
  'drafts',
  'unsent',
  'open',
  'overdue',
  'pending',
  'autopay',
  'paid',
  'void',
  'written_off',
  'paid_lately',
  ...ageNames,
])
