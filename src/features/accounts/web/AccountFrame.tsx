import type { ReactNode } from 'react'
import { paths } from '../../../shared/paths.ts'
import { LinkTo } from '../../../ui/LinkTo.tsx'
import { SignInPicture } from './SignInPicture.tsx'
import './signin.css'

/** The frame of every screen around signing in: the picture of a day, the form, the way home. */
export const AccountFrame = ({
  title,
  lead,
  home = 'Back to Home',
  children,
}: {
  title: string
  lead?: ReactNode
  /** The words of the way home. */
  home?: string
  children: ReactNode
}) => (
  <div className="signin">
    <SignInPicture />
    <main className="signin__form" id="screen" tabIndex={-1}>
      <LinkTo href={paths.home} className="signin__back">
        {home}
      </LinkTo>
      <div className="signin__in">
        <h1 tabIndex={-1}>{title}</h1>
        {lead ? <p className="signin__lead">{lead}</p> : null}
        {children}
      </div>
    </main>
  </div>
)
