import type { ReactNode } from 'react'
import { StripRule } from './StripRule.tsx'

type Props = { title: string; lead: ReactNode; seed: number; share?: number; children?: ReactNode }

/** Title, one paragraph and a mowed strip: the top of every page but the home page. */
export const PageHead = ({ title, lead, seed, share = 0.6, children }: Props) => (
  <header className="head">
    <div className="wrap">
      <h1>{title}</h1>
      <p className="lead">{lead}</p>
      {children}
    </div>
    <StripRule seed={seed} share={share} stripes={34} />
  </header>
)
