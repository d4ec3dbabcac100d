import { formatCents } from '../../../shared/money.ts'
import { IconAlertTriangle, IconBuildingBank, IconCircleCheck } from '../../../ui/icons.ts'
import { receiptComes } from '../../messages/paperways/rules.ts'
import type { PublicInvoice } from '../../payments/contract.ts'
import { pendingWords } from '../pending/rules.ts'
import { dayIn } from '../words/rules.ts'
import { pageTexts } from './pageTexts.ts'

/** What is on its way from the payer's bank. */
export const OnItsWay = ({ invoice }: { invoice: PublicInvoice }) => {
  const { language, pending } = invoice
  const t = pageTexts[language]
  return pending ? (
    <p className="pay__pending" role="status">
      <IconBuildingBank size={18} aria-hidden="true" />
      <span>
        {pendingWords(pending, language)}{' '}
        {invoice.status === 'void'
          ? t.becomesCredit(invoice.business.name)
          : invoice.payableCents > 0
            ? t.stillToPay(formatCents(invoice.payableCents))
            : t.needNot(receiptComes(invoice.told, language))}
      </span>
    </p>
  ) : null
}

/** Thanks for the part that came last: who comes back from paying it sees first that it arrived, and pays nothing twice. */
export const PartCame = ({ invoice: { payments, language } }: { invoice: PublicInvoice }) => {
  const last = payments.findLast(({ method, keptCents }) => method !== 'credit' && keptCents > 0)
  return last ? (
    <p className="pay__came" role="status">
      <IconCircleCheck size={20} aria-hidden="true" />
      <b>
        {pageTexts[language].thanksPart(
          formatCents(last.amountCents),
          dayIn(language, last.receivedOn, { long: true, year: true }),
        )}
      </b>
    </p>
  ) : null
}

/** A bank that said no: whoever opens the page again has not done nothing. */
export const Bounced = ({ invoice: { bounced, language } }: { invoice: PublicInvoice }) =>
  bounced ? (
    <p className="pay__problem" role="status">
      <IconAlertTriangle size={18} aria-hidden="true" />
      <span>
        {pageTexts[language].bounced(formatCents(bounced.cents), dayIn(language, bounced.onDay), bounced.reason)}
      </span>
    </p>
  ) : null

/** A payment that the payer's bank took back in the end: why what was paid is asked for again. */
export const TakenBack = ({ invoice: { takenBack, language } }: { invoice: PublicInvoice }) =>
  takenBack ? (
    <p className="pay__problem" role="status">
      <IconAlertTriangle size={18} aria-hidden="true" />
      <span>
        {pageTexts[language].takenBack(
          formatCents(takenBack.cents),
          dayIn(language, takenBack.paidOn),
          dayIn(language, takenBack.onDay),
        )}
      </span>
    </p>
  ) : null
