import { formatCents } from '../../../shared/money.ts'
import { formatPhone } from '../../../shared/phone.ts'
import type { BusinessSettings } from '../contract.ts'
import { BusinessHead } from './BusinessHead.tsx'

type Props = { settings: BusinessSettings; color: string; message: string; termsDays: number | null }

/** The page where a customer pays, as it will look with what is being typed. */
export const InvoiceLook = ({ settings, color, message, termsDays }: Props) => (
  <figure className="invoice-look">
    <figcaption className="hint">How your customers see it</figcaption>
    <div className="invoice-look__sheet">
      <BusinessHead as="p" name={settings.name} color={color} logoUrl={settings.logoUrl}>
        {settings.phone ? formatPhone(settings.phone) : null}
      </BusinessHead>
      <div className="invoice-look__in">
        <span className="muted">Amount due</span>
        <b className="num">{formatCents(5500)}</b>
        <span>{termsDays === 0 ? 'Due at once' : `Due in ${termsDays ?? settings.termsDays} days`}</span>
        {message.trim() ? <q>{message.trim()}</q> : null}
      </div>
    </div>
  </figure>
)
