import type { ReactNode } from 'react'
import './field.css'

export const FieldCard = ({ flush, children }: { flush?: boolean; children: ReactNode }) => (
  <section className={`f-card${flush ? ' f-card--flush' : ''}`}>{children}</section>
)
