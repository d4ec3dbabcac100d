import { type BusinessId, withTenant } from '../../../../platform/db/tenant.ts'
import { conflict, invalid } from '../../../../shared/errors.ts'
import { parseDollars } from '../../../../shared/money.ts'
import { paths } from '../../../../shared/paths.ts'
import { getPaperReach } from '../../../messages/paperways/server/queries.ts'
import { payTexts } from '../../checkout/rules.ts'
import { payInvoices, payPartFrom, syncCheckout } from '../../checkout/server/commands.ts'
import { listOpenSessions } from '../../server/queries.ts'
import { listOpen, payable } from './queries.ts'

export type StatementLink = { businessId: BusinessId; customerId: string; token: string }

/** What is the name of an invoice's box on the page: its number, which says nothing of others. */
export const boxName = (number: number): string => `inv-${number}`

/** The name of the button that pays from a bank account alone, less the discount for that. */
export const byBankName = 'by-bank'

/** The names of the fields with which a part of one invoice is paid: its number, and how much. */
export const partNames = { number: 'part', amount: 'amount' } as const

/** The number of the invoice of which a form pays a part, or null where it pays what is checked. */
export const partOf = (form: Readonly<Record<string, string>>): string | null => form[partNames.number] ?? null

/** Opens the hosted checkout for a part of one open invoice. @throws state_conflict, validation_failed like payPartFrom */
const payPartChecked = async (
  { businessId, customerId, token }: StatementLink,
  number: string,
  amount: string,
): Promise<{ url: string }> => {
  const { open, language } = await withTenant({ businessId }, async (db) => ({
    open: await listOpen(db, customerId),
    language: (await getPaperReach(db, customerId)).language,
  }))
  const t = payTexts[language]
  const one = open.find((invoice) => String(invoice.number) === number)
  if (!one) throw conflict(t.someClosed)
  const partCents = parseDollars(amount)
  if (partCents === null) throw invalid([{ path: partNames.amount, message: t.partAmount }])
  return payPartFrom(businessId, one.id, {
    partCents,
    successPath: `${paths.statement(token)}?paid=0`,
    cancelPath: paths.statement(token),
  })
}

/** Opens the hosted checkout that a form of the page asks for: a part of one invoice, or all of those whose boxes were checked. */
export const payFromStatement = (
  link: StatementLink,
  form: Readonly<Record<string, string>>,
): Promise<{ url: string }> => {
  const number = partOf(form)
  return number === null ? payChecked(link, form) : payPartChecked(link, number, form[partNames.amount] ?? '')
}

/** Opens the hosted checkout for the open invoices whose boxes were checked. @throws state_conflict for none, and like payInvoices */
const payChecked = async (
  { businessId, customerId, token }: StatementLink,
  form: Readonly<Record<string, string>>,
): Promise<{ url: string }> => {
  const { open, language } = await withTenant({ businessId }, async (db) => ({
    open: await listOpen(db, customerId),
    language: (await getPaperReach(db, customerId)).language,
  }))
  const t = payTexts[language]
  const asked = Object.keys(form).filter((name) => name.startsWith(boxName(0).slice(0, -1)))
  const chosen = open.filter((one) => payable(one) > 0 && asked.includes(boxName(one.number)))
  if (asked.length === 0) throw conflict(t.noneChecked)
  if (chosen.length < asked.length) throw conflict(t.someClosed)
  return payInvoices(businessId, {
    invoiceIds: chosen.map(({ id }) => id),
    byBank: form[byBankName] !== undefined,
    successPath: `${paths.statement(token)}?paid=0`,
    cancelPath: paths.statement(token),
  })
}

/** Asks the provider what became of the payment pages of a customer that are open. @returns whether one still is */
export const syncStatement = async ({ businessId, customerId }: StatementLink): Promise<boolean> => {
  const sessions = () =>
    withTenant({ businessId }, async (db) => {
      const open = await listOpen(db, customerId)
      return listOpenSessions(
        db,
        open.map(({ id }) => id),
      )
    })
  for (const { sessionId, accountId } of await sessions()) await syncCheckout(sessionId, accountId)
  return (await sessions()).length > 0
}
