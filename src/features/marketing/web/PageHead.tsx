import type { ReactNode } from 'react'
import { StripRule } from './StripRule.tsx'

type Props = {
  title: string
  lead: ReactNode
  seed: number
  share?: number
  /** What only this page shows beside its title. */
  art?: ReactNode
  children?: ReactNode
}

/** Title, one paragraph, a motive of the page's own and a mowed strip: the top of every page but the home page. */
export const PageHead = ({ title, lead, seed, share = 0.6, art, children }: Props) => (
  <header className="head">
    <div className={art ? 'wrap head-two' : 'wrap'}>
      <div>
        <h1>{title}</h1>
        <p className="lead">{lead}</p>
        {children}
      </div>
      {art}
    </div>
    <StripRule seed={seed} share={share} stripes={34} />
  </header>
)
