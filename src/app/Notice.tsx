import type { ReactNode } from 'react'
import { Logo } from './Logo.tsx'
import './notice.css'

type Props = { title: string; busy?: boolean; action?: ReactNode; children?: ReactNode }

/** A whole page with one thing to say: checking, not reached, a new version. */
export const Notice = ({ title, busy = false, action, children }: Props) => (
  <main className="notice" aria-busy={busy}>
    <div className="notice__in" role={busy ? 'status' : undefined}>
      <Logo />
      {busy ? <span className="notice__swath" aria-hidden="true" /> : null}
      {busy ? <p className="notice__busy">{title}</p> : <h1>{title}</h1>}
      {children ? <p className="muted">{children}</p> : null}
      {action ? <div className="notice__action">{action}</div> : null}
    </div>
  </main>
)
