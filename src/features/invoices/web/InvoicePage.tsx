import { addressLines } from '../../../shared/address-lines.ts'
import { brand } from '../../../shared/brand.ts'
import { formatCents } from '../../../shared/money.ts'
import { paths } from '../../../shared/paths.ts'
import { formatPhone } from '../../../shared/phone.ts'
import { IconDownload } from '../../../ui/icons.ts'
import { BusinessHead, brandStyle } from '../../businesses/web/BusinessHead.tsx'
import type { PublicInvoice } from '../../payments/contract.ts'
import { billLines, invoiceName } from '../rules.ts'
import { dayIn, methodIn } from '../words/rules.ts'
import { publicPdfHref } from './data.ts'
import { InvoiceLines } from './InvoiceLines.tsx'
import { isMoney, PayBox } from './PayBox.tsx'
import { type PageTexts, pageTexts } from './pageTexts.ts'
import './publicinvoice.css'

const cardSettings = `${paths.profile}?section=money#cards`

const Words = ({ words, language, t }: { words: PublicInvoice['words'] } & { language: 'en' | 'es'; t: PageTexts }) => (
  <section>
    <h2>{t.fromCrew}</h2>
    {words.map(({ day, place: street, text }) => (
      <p key={`${day} ${street} ${text}`} className="pub-said">
        <span className="hint">{[day && dayIn(language, day), street].filter(Boolean).join(', ')}</span>
        <br />
        {text}
      </p>
    ))}
  </section>
)

const Photos = ({ photos, t }: { photos: PublicInvoice['photos']; t: PageTexts }) => (
  <section>
    <h2>{t.photos(photos.length)}</h2>
    <ul className="pub-photos">
      {photos.map((photo) => (
        <li key={photo.url}>
          <a href={photo.url} target="_blank" rel="noreferrer">
            <img src={photo.url} alt={t.photoOf(photo.kind === 'before', photo.place)} loading="lazy" />
          </a>
          <span className="hint">
            {photo.kind === 'before' ? t.before : t.after}
            {photo.place ? `, ${photo.place}` : ''}
          </span>
        </li>
      ))}
    </ul>
  </section>
)

const Paper = ({ invoice, token }: { invoice: PublicInvoice; token: string | null }) => {
  const { business, billTo, language } = invoice
  const t = pageTexts[language]
  const day = (on: string) => dayIn(language, on, { year: true })
  return (
    <>
      <section className="pub-who">
        <div>
          <h2>{t.for}</h2>
          <p>{billLines(billTo).join('\n')}</p>
        </div>
        <div>
          <h2>{invoiceName(invoice.number)}</h2>
          <p>
            {t.issued(day(invoice.issueOn))}
            {'\n'}
            {pastDue(t, invoice.status) ?? t.due(day(invoice.dueOn))}
          </p>
          {invoice.status === 'void' || token === null ? null : (
            <a className="pub-pdf" href={publicPdfHref(token)} target="_blank" rel="noreferrer">
              <IconDownload size={17} aria-hidden="true" />
              {invoice.status === 'paid' && isMoney(invoice) ? t.receiptPdf : t.invoicePdf}
            </a>
          )}
        </div>
      </section>
      {invoice.message ? <blockquote className="pub-message">{invoice.message}</blockquote> : null}
      <section>
        <h2>{invoice.lines.some(({ serviceOn }) => serviceOn !== null) ? t.whatWeDid : t.whatItIsFor}</h2>
        <InvoiceLines invoice={invoice} language={language} />
      </section>
      {invoice.words.length > 0 ? <Words words={invoice.words} language={language} t={t} /> : null}
      {invoice.photos.length > 0 ? <Photos photos={invoice.photos} t={t} /> : null}
      {invoice.payments.length > 0 ? (
        <section>
          <h2>{isMoney(invoice) ? t.received : invoice.status === 'paid' ? t.whatClosed : t.credited}</h2>
          <ul className="pub-payments">
            {invoice.payments.map((payment, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: payments are only ever added
              <li key={at}>
                <span>
                  {(payment.deposit ? t.deposit : t.by)(day(payment.receivedOn), methodIn(language, payment.method))}
                </span>
                <b className="num">{formatCents(payment.amountCents)}</b>
              </li>
            ))}
            {invoice.gaveBack.map((one, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: what went back is only ever added
              <li key={`back ${at}`}>
                <span>{t.backOn(day(one.onDay), methodIn(language, one.method))}</span>
                <b className="num">{formatCents(-one.amountCents)}</b>
              </li>
            ))}
          </ul>
        </section>
      ) : null}
      <section className="pub-foot">
        {invoice.terms ? <p>{invoice.terms}</p> : null}
        <p>
          {t.questions} {business.phone ? <a href={`tel:${business.phone}`}>{formatPhone(business.phone)}</a> : null}
          {business.phone && business.email ? t.or : null}
          {business.email ? <a href={`mailto:${business.email}`}>{business.email}</a> : null}
        </p>
        <p>{[business.name, ...addressLines(business)].join(' · ')}</p>
      </section>
    </>
  )
}

/** What stands in the place of the due day where nothing is due any more. */
const pastDue = (t: PageTexts, status: PublicInvoice['status']): string | undefined =>
  ({ void: t.isVoid, paid: t.isPaid, written_off: t.isClosed, issued: undefined, partially_paid: undefined })[status]

type Props = {
  invoice: PublicInvoice
  /** Of the mailed link; null where the page is only shown: nothing is paid and no file is fetched. */
  token: string | null
  isOffice?: boolean
  isBack?: boolean
  leftCents?: number | null
  onSettled?: () => void
  onReload?: () => void
}

const nothing = () => undefined

/** An invoice as its customer sees it: how much, until when, the one button, and the paper below. */
export const InvoicePage = ({
  invoice,
  token,
  isOffice = false,
  isBack = false,
  leftCents = null,
  onSettled = nothing,
  onReload = nothing,
}: Props) => (
  <main className="pub" id="screen" lang={invoice.language} style={brandStyle(invoice.business.color)}>
    {invoice.livemode ? null : <p className="pub-test">{pageTexts[invoice.language].test}</p>}
    {isOffice ? (
      <p className="pub-office" lang="en">
        You are looking at what your customer sees.
        {invoice.takesCards ? null : (
          <>
            {' '}
            Nobody can pay by card here: <a href={cardSettings}>see what is missing</a>.
          </>
        )}
      </p>
    ) : null}
    <article className="pub-sheet">
      <BusinessHead name={invoice.business.name} color={invoice.business.color} logoUrl={invoice.business.logoUrl}>
        {invoice.business.phone ? (
          <a href={`tel:${invoice.business.phone}`}>{formatPhone(invoice.business.phone)}</a>
        ) : null}
      </BusinessHead>
      <PayBox
        invoice={invoice}
        token={token}
        isBack={isBack}
        leftCents={leftCents}
        onSettled={onSettled}
        onReload={onReload}
      />
      {invoice.credit ? (
        <p className="pub-credit">
          {pageTexts[invoice.language].credit(
            formatCents(invoice.credit.cents),
            invoice.credit.byItself,
            invoice.status === 'issued' || invoice.status === 'partially_paid',
          )}
        </p>
      ) : null}
      <div className="pub-paper">
        <Paper invoice={invoice} token={token} />
      </div>
    </article>
    <p className="pub-by">
      {pageTexts[invoice.language].sentWith} {brand.name}
    </p>
  </main>
)
