import { brand } from '../../../shared/brand.ts'
import { formatDay } from '../../../shared/dates.ts'
import { formatCents } from '../../../shared/money.ts'
import { paths } from '../../../shared/paths.ts'
import { formatPhone } from '../../../shared/phone.ts'
import { IconDownload } from '../../../ui/icons.ts'
import { BusinessHead, brandStyle } from '../../businesses/web/BusinessHead.tsx'
import type { PublicInvoice } from '../../payments/contract.ts'
import { billLines, invoiceName } from '../rules.ts'
import { publicPdfHref } from './data.ts'
import { InvoiceLines } from './InvoiceLines.tsx'
import { PayBox } from './PayBox.tsx'
import './publicinvoice.css'

const cardSettings = `${paths.profile}?section=money#cards`

const place = (of: { street: string | null; city: string | null; state: string | null; zip: string | null }) =>
  [of.street, [of.city, [of.state, of.zip].filter(Boolean).join(' ')].filter(Boolean).join(', ')].filter(Boolean)

const Photos = ({ photos }: { photos: PublicInvoice['photos'] }) => (
  <section>
    <h2>{photos.length === 1 ? 'A photo of the work' : 'Photos of the work'}</h2>
    <ul className="pub-photos">
      {photos.map((photo) => (
        <li key={photo.url}>
          <a href={photo.url} target="_blank" rel="noreferrer">
            <img
              src={photo.url}
              alt={`${photo.kind === 'before' ? 'Before' : 'After'} the work at ${photo.place}`}
              loading="lazy"
            />
          </a>
          <span className="hint">
            {photo.kind === 'before' ? 'Before' : 'After'}
            {photo.place ? `, ${photo.place}` : ''}
          </span>
        </li>
      ))}
    </ul>
  </section>
)

const methods: Record<string, string> = {
  card: 'card',
  ach: 'bank transfer',
  check: 'check',
  cash: 'cash',
  credit: 'credit',
}

const Paper = ({ invoice, token }: { invoice: PublicInvoice; token: string | null }) => {
  const { business, billTo } = invoice
  return (
    <>
      <section className="pub-who">
        <div>
          <h2>For</h2>
          <p>{billLines(billTo).join('\n')}</p>
        </div>
        <div>
          <h2>{invoiceName(invoice.number)}</h2>
          <p>
            Issued {formatDay(invoice.issueOn, { year: true })}
            {'\n'}
            {pastDue[invoice.status] ?? `Due ${formatDay(invoice.dueOn, { year: true })}`}
          </p>
          {invoice.status === 'void' || token === null ? null : (
            <a className="pub-pdf" href={publicPdfHref(token)} target="_blank" rel="noreferrer">
              <IconDownload size={17} aria-hidden="true" />
              {invoice.status === 'paid' && invoice.paidCents > invoice.creditedCents
                ? 'Receipt as PDF'
                : 'Invoice as PDF'}
            </a>
          )}
        </div>
      </section>
      {invoice.message ? <blockquote className="pub-message">{invoice.message}</blockquote> : null}
      <section>
        <h2>What we did</h2>
        <InvoiceLines invoice={invoice} />
      </section>
      {invoice.photos.length > 0 ? <Photos photos={invoice.photos} /> : null}
      {invoice.payments.length > 0 ? (
        <section>
          <h2>{invoice.paidCents > invoice.creditedCents ? 'Received, with thanks' : 'What closed it'}</h2>
          <ul className="pub-payments">
            {invoice.payments.map((payment, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: payments are only ever added
              <li key={at}>
                <span>
                  {formatDay(payment.receivedOn, { year: true })} by {methods[payment.method] ?? 'other means'}
                </span>
                <b className="num">{formatCents(payment.amountCents)}</b>
              </li>
            ))}
          </ul>
        </section>
      ) : null}
      <section className="pub-foot">
        {invoice.terms ? <p>{invoice.terms}</p> : null}
        <p>
          Questions? {business.phone ? <a href={`tel:${business.phone}`}>{formatPhone(business.phone)}</a> : null}
          {business.phone && business.email ? ' or ' : null}
          {business.email ? <a href={`mailto:${business.email}`}>{business.email}</a> : null}
        </p>
        <p>{[business.name, ...place(business)].join(' · ')}</p>
      </section>
    </>
  )
}

/** What stands in the place of the due day where nothing is due any more. */
const pastDue: Partial<Record<PublicInvoice['status'], string>> = {
  void: 'Voided',
  paid: 'Paid',
  written_off: 'Closed',
}

type Props = {
  invoice: PublicInvoice
  /** Of the mailed link; null where the page is only shown: nothing is paid and no file is fetched. */
  token: string | null
  isOffice?: boolean
  isBack?: boolean
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
  onSettled = nothing,
  onReload = nothing,
}: Props) => (
  <main className="pub" id="screen" style={brandStyle(invoice.business.color)}>
    {invoice.livemode ? null : <p className="pub-test">TEST: no card charged</p>}
    {isOffice ? (
      <p className="pub-office">
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
      <PayBox invoice={invoice} token={token} isBack={isBack} onSettled={onSettled} onReload={onReload} />
      <div className="pub-paper">
        <Paper invoice={invoice} token={token} />
      </div>
    </article>
    <p className="pub-by">Sent with {brand.name}</p>
  </main>
)
