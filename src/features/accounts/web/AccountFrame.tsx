import type { ReactNode } from 'react'
import { paths } from '../../../shared/paths.ts'
import { LinkTo } from '../../../ui/LinkTo.tsx'
import { SignInPicture } from './SignInPicture.tsx'
import './signin.css'

/** The frame of every screen around signing in: the picture of a day, the form, the way home. */
export const AccountFrame = ({ title, lead, children }: { title: string; lead?: ReactNode; children: ReactNode }) => (
  <div className="signin">
    <SignInPicture />
    <main className="signin__form" id="screen" tabIndex={-1}>
      <LinkTo href={paths.home} className="signin__back">
        Back to Home
      </LinkTo>
      <div className="signin__in">
        <h1 tabIndex={-1}>{title}</h1>
        {lead ? <p className="signin__lead">{lead}</p> : null}
        {children}
      </div>
    </main>
  </div>
)
