import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useParams, useSearchParams } from 'react-router'
import { ApiError } from '../../../shared/client.ts'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { PanelSkeleton } from '../../../ui/Skeleton.tsx'
import { useSessionState } from '../../accounts/web/session.ts'
import { invoiceName } from '../rules.ts'
import { publicInvoiceQuery, sayViewed } from './data.ts'
import { InvoicePage } from './InvoicePage.tsx'
import './publicinvoice.css'

const seen = new Set<string>()

/** Tells the office once that a customer opened it; the office looking at its own page does not count. */
const useViewed = (token: string, isThere: boolean) => {
  const { phase } = useSessionState()
  useEffect(() => {
    if (!isThere || phase === 'starting' || phase === 'signedIn' || seen.has(token)) return
    seen.add(token)
    void sayViewed(token).catch(() => seen.delete(token))
  }, [token, isThere, phase])
  return phase === 'signedIn'
}

const Unknown = () => (
  <div className="pub-unknown">
    <h1>This link does not open an invoice</h1>
    <p>
      It may be cut off: mail programs sometimes break long links in two. Open it again from the mail or text you got,
      or ask the business that sent it for a new one.
    </p>
  </div>
)

/** The invoice behind a mailed link: what was done, what it costs, and one button to pay it. */
export const PublicInvoiceScreen = () => {
  const { token = '' } = useParams()
  const [params, setParams] = useSearchParams()
  const [isBack] = useState(params.get('paid') === '1')
  const found = useQuery(publicInvoiceQuery(token))
  const invoice = found.data
  const isOffice = useViewed(token, invoice !== undefined)
  const title = invoice ? `${invoiceName(invoice.number)} · ${invoice.business.name}` : null
  useEffect(() => {
    if (title) document.title = title
  }, [title])

  if (!invoice)
    return (
      <main className="pub" id="screen">
        <div className="pub-sheet pub-sheet--alone">
          {found.error instanceof ApiError && found.error.status === 404 ? (
            <Unknown />
          ) : found.isError ? (
            <ErrorState
              error={found.error}
              title="We could not load the invoice"
              onRetry={() => void found.refetch()}
              retrying={found.isFetching}
            />
          ) : (
            <PanelSkeleton />
          )}
        </div>
      </main>
    )
  return (
    <InvoicePage
      invoice={invoice}
      token={token}
      isOffice={isOffice}
      isBack={isBack}
      onSettled={() => setParams({}, { replace: true })}
      onReload={() => void found.refetch()}
    />
  )
}
