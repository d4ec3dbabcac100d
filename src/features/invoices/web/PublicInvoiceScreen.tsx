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

/** There is no such page, or the link was cut so short that it cannot be one. */
const isNoLink = ({ status }: ApiError): boolean => status === 404 || status === 422 || status === 400

const Unknown = () => (
  <div className="pub-unknown">
    <h1>This link does not open an invoice</h1>
    <p>
      It may be cut off: mail programs sometimes break long links in two. Open it again from the mail or text you got,
      or ask the business that sent it for a new one.
    </p>
    {/* who reads it is not known, so it is said in both languages */}
    <h2 lang="es">Este enlace no abre ninguna factura</h2>
    <p lang="es">
      Puede estar cortado: algunos programas de correo parten los enlaces largos. Ábralo de nuevo desde el correo o
      mensaje que recibió, o pida uno nuevo a la empresa que lo envió.
    </p>
  </div>
)

/** The invoice behind a mailed link: what was done, what it costs, and one button to pay it. */
export const PublicInvoiceScreen = () => {
  const { token = '' } = useParams()
  const [params, setParams] = useSearchParams()
  const [isBack] = useState(params.get('paid') === '1')
  const [leftCents] = useState(/^\d+$/.test(params.get('left') ?? '') ? Number(params.get('left')) : null)
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
          {found.error instanceof ApiError && isNoLink(found.error) ? (
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
      leftCents={leftCents}
      onSettled={() => setParams({}, { replace: true })}
      onReload={() => void found.refetch()}
    />
  )
}
