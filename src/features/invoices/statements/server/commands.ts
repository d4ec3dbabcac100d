import type { Actor } from '../../../../platform/actor.ts'
import { audit } from '../../../../platform/audit.ts'
import { withTenant } from '../../../../platform/db/tenant.ts'
import { newId } from '../../../../platform/ids.ts'
import { paragraph, rows, small, writeLetter } from '../../../../platform/mail/letter.ts'
import { formatDay } from '../../../../shared/dates.ts'
import { conflict } from '../../../../shared/errors.ts'
import { formatCents } from '../../../../shared/money.ts'
import { firstNameOf } from '../../../../shared/names.ts'
import { addDocumentTx } from '../../../files/server/commands.ts'
import { queueMessage } from '../../../messages/server/commands.ts'
import { billToOfCustomer } from '../../papers/server/queries.ts'
import { drawFor, getSender } from '../../server/commands.ts'
import { contactOf } from '../../server/templates.ts'
import type { Statement } from '../contract.ts'
import { statementSums } from '../rules.ts'
import { getStatement } from './queries.ts'

type Period = { from: string; to: string }

const spanOf = ({ from, to }: Period): string =>
  `${formatDay(from, { year: true })} to ${formatDay(to, { year: true })}`

const read = (actor: Actor, customerId: string, { from, to }: Period) =>
  withTenant(actor, async (db) => ({
    statement: await getStatement(db, customerId, from, to),
    to: (await billToOfCustomer(db, customerId)).to,
    sender: await getSender(db),
  }))

const draw = async (actor: Actor, found: Awaited<ReturnType<typeof read>>) => {
  const { statement, sender, to } = found
  const drawn = await drawFor(actor.businessId, sender, {
    title: 'Statement',
    days: [formatDay(statement.from, { year: true }), `to ${formatDay(statement.to, { year: true })}`],
    toLabel: 'STATEMENT FOR',
    to,
    columns: [
      { label: 'Date', widthMm: 34 },
      { label: 'What' },
      { label: 'Amount', right: true, widthMm: 30 },
      { label: 'Balance', right: true, widthMm: 30 },
    ],
    rows: statement.entries.map((entry) => [
      formatDay(entry.onDay, { year: true }),
      entry.label,
      formatCents(entry.amountCents),
      formatCents(entry.balanceCents),
    ]),
    empty: 'Nothing was charged or paid in this time',
    sums: statementSums(statement),
    pay: null,
    texts: [sender.invoiceTerms],
  })
  return { ...drawn, name: `Statement ${statement.from} to ${statement.to}` }
}

/** A customer's statement as PDF. @throws like getStatement */
export const printStatement = async (actor: Actor, customerId: string, period: Period) =>
  draw(actor, await read(actor, customerId, period))

const letterOf = (statement: Statement, sender: Awaited<ReturnType<typeof getSender>>) =>
  writeLetter({
    from: sender.name,
    brandColor: sender.brandColor,
    title: 'Statement',
    parts: [
      paragraph(`Hello ${firstNameOf(statement.customer.name)},`),
      paragraph(`Here is your statement from ${spanOf(statement)}. Every entry is in the PDF.`),
      rows(
        ...statementSums(statement).map(({ label, cents, strong }) => ({ label, value: formatCents(cents), strong })),
      ),
      small([sender.name, contactOf(sender)].filter(Boolean).join('\n')),
    ],
  })

/** Mails a customer their statement with its PDF. @throws like getStatement, and state_conflict without an e-mail */
export const sendStatement = async (actor: Actor, customerId: string, period: Period): Promise<{ address: string }> => {
  const found = await read(actor, customerId, period)
  const { name, email } = found.statement.customer
  if (!email) throw conflict(`${name} has no e-mail on file. Add one to the customer, or print the statement.`)
  const { stored, name: title } = await draw(actor, found)
  return withTenant(actor, async (db) => {
    const file = `${title}.pdf`
    const fileId = await addDocumentTx(db, 'invoice', { ...stored, mime: 'application/pdf', name: file })
    await queueMessage(db, {
      channel: 'email',
      purpose: 'transactional',
      address: email,
      dedupeKey: `statement:${customerId}:${newId()}`,
      subject: `Statement from ${found.sender.name}, ${spanOf(period)}`,
      ...letterOf(found.statement, found.sender),
      attachments: [{ fileId, name: file }],
      customerId,
      userId: actor.userId,
    })
    await audit(db, actor, 'statement.send', { type: 'customer', id: customerId }, { after: period })
    return { address: email }
  })
}
