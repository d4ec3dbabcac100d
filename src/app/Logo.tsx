import { brand } from '../shared/brand.ts'
import './logo.css'

/** Three mowed stripes on a marking flag, and the name. */
export const Logo = ({ onDark = false, markOnly = false }: { onDark?: boolean; markOnly?: boolean }) => (
  <span className={`logo${onDark ? ' logo--on-dark' : ''}`}>
    <svg viewBox="0 0 26 26" width="26" height="26" aria-hidden="true">
      <rect width="26" height="26" rx="7" fill="#e2571e" />
      <path d="M5 20V6h3.4v14zM11.3 20V6h3.4v14zM17.6 20V6H21v14z" fill="#fff" />
    </svg>
    <span className={markOnly ? 'ui-hidden' : undefined}>{brand.name}</span>
  </span>
)
