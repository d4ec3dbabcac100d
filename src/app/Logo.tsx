import { brand } from '../shared/brand.ts'
import { BrandMark } from '../ui/BrandMark.tsx'
import './logo.css'

/** The mark and the name. */
export const Logo = ({ onDark = false, markOnly = false }: { onDark?: boolean; markOnly?: boolean }) => (
  <span className={`logo${onDark ? ' logo--on-dark' : ''}`}>
    <BrandMark />
    <span className={markOnly ? 'ui-hidden' : undefined}>{brand.name}</span>
  </span>
)
