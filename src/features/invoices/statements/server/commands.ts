import { type Actor, userIdOf, type Who } from '../../../../platform/actor.ts'
import { audit } from '../../../../platform/audit.ts'
import { type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import { newId } from '../../../../platform/ids.ts'
import { button, paragraph, rows } from '../../../../platform/mail/letter.ts'
import { conflict } from '../../../../shared/errors.ts'
import { formatCents } from '../../../../shared/money.ts'
import { firstNameOf } from '../../../../shared/names.ts'
import { formatPhone } from '../../../../shared/phone.ts'
import { customerLetter } from '../../../businesses/letters/server/queries.ts'
import type { Language } from '../../../businesses/notices/rules.ts'
import { addDocumentTx } from '../../../files/server/commands.ts'
import { isReached, reachWords, unreachedWords } from '../../../messages/paperways/rules.ts'
import { queuePaperTx } from '../../../messages/paperways/server/commands.ts'
import { getPaperReach } from '../../../messages/paperways/server/queries.ts'
import { billToOfCustomer } from '../../papers/server/queries.ts'
import { drawFor, getSender } from '../../server/commands.ts'
import { statementText } from '../../server/texts.ts'
import { dayIn } from '../../words/rules.ts'
import { statementSums } from '../rules.ts'
import { statementUrlTx } from './links.ts'
import { statementPaper } from './paper.ts'
import { getStatement } from './queries.ts'

export { statementUrlTx } from './links.ts'

type Period = { from: string; to: string }

const words = {
  en: {
    span: (from: string, to: string) => `${from} to ${to}`,
    subject: (from: string, span: string) => `Statement from ${from}, ${span}`,
    title: 'Statement',
    hello: (name: string) => `Hello ${name},`,
    lead: (span: string) => `Here is your statement from ${span}. Every entry is in the PDF.`,
    press: 'See and pay what is open',
    file: (from: string, to: string) => `Statement ${from} to ${to}`,
  },
  es: {
    span: (from: string, to: string) => `${from} al ${to}`,
    subject: (from: string, span: string) => `Estado de cuenta de ${from}, ${span}`,
    title: 'Estado de cuenta',
    hello: (name: string) => `Hola ${name}:`,
    lead: (span: string) => `Aquí está su estado de cuenta del ${span}. Cada movimiento está en el PDF.`,
    press: 'Ver y pagar lo pendiente',
    file: (from: string, to: string) => `Estado de cuenta ${from} a ${to}`,
  },
} satisfies Record<Language, unknown>

const spanOf = (language: Language, { from, to }: Period): string =>
  words[language].span(dayIn(language, from, { year: true }), dayIn(language, to, { year: true }))

/** As its customer reads it. */
const read = (actor: Who, customerId: string, { from, to }: Period) =>
  withTenant(actor, async (db) => {
    const { language, mail, others } = await getPaperReach(db, customerId)
    return {
      language,
      // a text carries the link alone
      isMailed: [{ mail }, ...others].some((one) => one.mail !== null),
      statement: await getStatement(db, customerId, from, to, language),
      url: await statementUrlTx(db, customerId),
      to: (await billToOfCustomer(db, customerId)).to,
      sender: await getSender(db),
    }
  })

type Found = Awaited<ReturnType<typeof read>>

const draw = async (actor: Who, { statement, sender, to, url, language }: Found) => {
  const paper = statementPaper(statement, to, url, sender.invoiceTerms, language)
  const drawn = await drawFor(actor.businessId, sender, paper)
  return { ...drawn, name: words[language].file(statement.from, statement.to) }
}

/** A customer's statement as PDF. @throws like getStatement */
export const printStatement = async (actor: Actor, customerId: string, period: Period) =>
  draw(actor, await read(actor, customerId, period))

const letterOf = ({ statement, sender, url, language }: Found) => {
  const t = words[language]
  return customerLetter(sender, {
    language,
    title: t.title,
    parts: [
      paragraph(t.hello(firstNameOf(statement.customer.name))),
      paragraph(t.lead(spanOf(language, statement))),
      rows(
        ...statementSums(statement, language).map(({ label, cents, strong }) => ({
          label,
          value: formatCents(cents),
          strong,
        })),
      ),
      ...statement.notes.map(paragraph),
      button(t.press, url),
    ],
  })
}

/**
 * Sends a customer their statement as they have their papers.
 * @param key which sending it is: the same one leaves once
 * @param isStillTx asked in the transaction that puts it into the outbox: where it says no, nothing leaves
 * @throws like getStatement, and state_conflict where nothing reaches them
 */
export const sendStatementOf = async (
  actor: Who,
  customerId: string,
  period: Period,
  key: string,
  isStillTx: (db: TenantDb) => Promise<boolean> = async () => true,
): Promise<{ address: string }> => {
  const found = await read(actor, customerId, period)
  const { name, reach } = found.statement.customer
  if (!isReached(reach))
    throw conflict(`${name} ${unreachedWords(reach)}. Add an e-mail to the customer, or print the statement.`)
  const drawn = found.isMailed ? await draw(actor, found) : null
  const userId = userIdOf(actor)
  return withTenant(actor, async (db) => {
    if (!(await isStillTx(db))) return { address: '' }
    const sent = await queuePaperTx(db, {
      customerId,
      ...(userId ? { userId } : {}),
      entity: { type: 'statement', id: customerId },
      asks: found.statement.closingCents > 0,
      dedupeKey: `statement:${customerId}:${key}`,
      mail: async () => {
        // an e-mail came to them since they were read: the next try draws it
        if (!drawn) throw new Error('A statement goes by mail that was not drawn.')
        const file = `${drawn.name}.pdf`
        const fileId = await addDocumentTx(db, 'invoice', { ...drawn.stored, mime: 'application/pdf', name: file })
        return {
          subject: words[found.language].subject(found.sender.name, spanOf(found.language, period)),
          ...letterOf(found),
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

/** Sends a customer their statement. @throws like getStatement, and state_conflict where nothing reaches them */
export const sendStatement = (actor: Actor, customerId: string, period: Period): Promise<{ address: string }> =>
  sendStatementOf(actor, customerId, period, newId())
