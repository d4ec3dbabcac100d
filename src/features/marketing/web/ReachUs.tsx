import { brand } from '../../../shared/brand.ts'
import { telHref } from '../rules.ts'

type Props = { subject: string; body?: string; mailLabel: string }

/** Mail and phone as the way in while a page's own form is not there. */
export const ReachUs = ({ subject, body, mailLabel }: Props) => (
  <p className="next">
    <a
      className="btn primary big"
      href={`mailto:${brand.supportEmail}?subject=${encodeURIComponent(subject)}${body ? `&body=${encodeURIComponent(body)}` : ''}`}
    >
      {mailLabel}
    </a>
    <a className="btn big" href={telHref(brand.supportPhone)}>
      Call {brand.supportPhone}
    </a>
  </p>
)
