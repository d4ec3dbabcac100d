import { type BusinessId, withTenant } from '../../../../platform/db/tenant.ts'
import { conflict } from '../../../../shared/errors.ts'
import { paths } from '../../../../shared/paths.ts'
import { getPaperReach } from '../../../messages/paperways/server/queries.ts'
import { payTexts } from '../../checkout/rules.ts'
import { payInvoices, syncCheckout } from '../../checkout/server/commands.ts'
import { listOpenSessions } from '../../server/queries.ts'
import { listOpen, payable } from './queries.ts'

export type StatementLink = { businessId: BusinessId; customerId: string; token: string }

/** What is the name of an invoice's box on the page: its number, which says nothing of others. */
export const boxName = (number: number): string => `inv-${number}`

/** The name of the button that pays from a bank account alone, less the discount for that. */
export const byBankName = 'by-bank'

/** Opens the hosted checkout for the open invoices whose boxes were checked. @throws state_conflict for none, and like payInvoices */
export const payChecked = async (
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
