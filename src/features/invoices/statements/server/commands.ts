import type { Actor } from '../../../../platform/actor.ts'
import { audit } from '../../../../platform/audit.ts'
import { withTenant } from '../../../../platform/db/tenant.ts'
import { newId } from '../../../../platform/ids.ts'
import { button, paragraph, rows, small, writeLetter } from '../../../../platform/mail/letter.ts'
import { formatDay } from '../../../../shared/dates.ts'
import { conflict } from '../../../../shared/errors.ts'
import { formatCents } from '../../../../shared/money.ts'
import { firstNameOf } from '../../../../shared/names.ts'
import { formatPhone } from '../../../../shared/phone.ts'
import { contactOf } from '../../../businesses/rules.ts'
import { addDocumentTx } from '../../../files/server/commands.ts'
import { isReached, reachWords, unreachedWords } from '../../../messages/paperways/rules.ts'
import { queuePaperTx } from '../../../messages/paperways/server/commands.ts'
import { billToOfCustomer } from '../../papers/server/queries.ts'
import { drawFor, getSender } from '../../server/commands.ts'
import { statementText } from '../../server/texts.ts'
import type { Statement } from '../contract.ts'
import { statementSums } from '../rules.ts'
import { statementUrlTx } from './links.ts'
import { statementPaper } from './paper.ts'
import { getStatement } from './queries.ts'

type Period = { from: string; to: string }

const spanOf = ({ from, to }: Period): string =>
  `${formatDay(from, { year: true })} to ${formatDay(to, { year: true })}`

const read = (actor: Actor, customerId: string, { from, to }: Period) =>
  withTenant(actor, async (db) => ({
    statement: await getStatement(db, customerId, from, to),
    url: await statementUrlTx(db, customerId),
    to: (await billToOfCustomer(db, customerId)).to,
    sender: await getSender(db),
  }))

const draw = async (actor: Actor, found: Awaited<ReturnType<typeof read>>) => {
  const { statement, sender, to, url } = found
  const drawn = await drawFor(actor.businessId, sender, statementPaper(statement, to, url, sender.invoiceTerms))
  return { ...drawn, name: `Statement ${statement.from} to ${statement.to}` }
}

/** A customer's statement as PDF. @throws like getStatement */
export const printStatement = async (actor: Actor, customerId: string, period: Period) =>
  draw(actor, await read(actor, customerId, period))

const letterOf = (statement: Statement, sender: Awaited<ReturnType<typeof getSender>>, url: string) =>
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
      ...statement.notes.map(paragraph),
      button('See and pay what is open', url),
      small([sender.name, contactOf(sender)].filter(Boolean).join('\n')),
    ],
  })

/** Sends a customer their statement as they have their papers. @throws like getStatement, and state_conflict where nothing reaches them */
export const sendStatement = async (actor: Actor, customerId: string, period: Period): Promise<{ address: string }> => {
  const found = await read(actor, customerId, period)
  const { name, reach } = found.statement.customer
  if (!isReached(reach))
    throw conflict(`${name} ${unreachedWords(reach)}. Add an e-mail to the customer, or print the statement.`)
  const { stored, name: title } = await draw(actor, found)
  return withTenant(actor, async (db) => {
    const file = `${title}.pdf`
    const sent = await queuePaperTx(db, {
      customerId,
      userId: actor.userId,
      entity: { type: 'statement', id: customerId },
      asks: found.statement.closingCents > 0,
      dedupeKey: `statement:${customerId}:${newId()}`,
      mail: async () => {
        const fileId = await addDocumentTx(db, 'invoice', { ...stored, mime: 'application/pdf', name: file })
        return {
          subject: `Statement from ${found.sender.name}, ${spanOf(period)}`,
          ...letterOf(found.statement, found.sender, found.url),
          attachments: [{ fileId, name: file }],
        }
      },
      text: (language) =>
        statementText(found.sender.name, formatCents(found.statement.closingCents), language, found.url),
    })
    await audit(db, actor, 'statement.send', { type: 'customer', id: customerId }, { after: period })
    return { address: reachWords(sent, formatPhone) }
  })
}
