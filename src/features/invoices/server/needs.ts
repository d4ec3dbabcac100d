import type { Need } from '../../../shared/can.ts'
import { invoicesApi } from '../contract.ts'
import { moneyNeed } from '../corrections/server/queries.ts'
import type { InvoiceAction } from '../rules.ts'

/** What an actor needs for each action on an invoice. */
export const needs: Record<InvoiceAction, Need> = {
  send: invoicesApi.send,
  issue: invoicesApi.issue,
  edit: invoicesApi.change,
  remind: invoicesApi.remind,
  pay: moneyNeed('/api/invoices/:id/payments'),
  useCredit: moneyNeed('/api/invoices/:id/credit'),
  credit: moneyNeed('/api/invoices/:id/credit-notes'),
  writeOff: invoicesApi.writeOff,
  reinstate: invoicesApi.reinstate,
  void: invoicesApi.voidInvoice,
  waiveFee: invoicesApi.waiveFee,
  settleFee: invoicesApi.settleFee,
  print: invoicesApi.pdf,
  promise: invoicesApi.setReminders,
  stopReminders: invoicesApi.setReminders,
  startReminders: invoicesApi.setReminders,
  makeAgain: invoicesApi.create,
}
