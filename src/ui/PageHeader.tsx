import type { ReactNode } from 'react'
import { IconArrowLeft } from './icons.ts'
import { LinkTo } from './LinkTo.tsx'
import './PageHeader.css'

type Props = {
  title: ReactNode
  sub?: ReactNode
  actions?: ReactNode
  back?: { href: string; label: string }
  beside?: ReactNode
}

/** The screen's one h1, a line with its number that matters, and its actions with the primary last. */
export const PageHeader = ({ title, sub, actions, back, beside }: Props) => (
  <header className="ui-page-header">
    <div className="ui-page-header__words">
      {back ? (
        <LinkTo href={back.href} className="ui-page-header__back">
          <IconArrowLeft size={16} aria-hidden="true" />
          {back.label}
        </LinkTo>
      ) : null}
      <div className="ui-page-header__title">
        <h1>{title}</h1>
        {beside}
      </div>
      {sub ? <p className="muted">{sub}</p> : null}
    </div>
    {actions ? <div className="ui-page-header__actions">{actions}</div> : null}
  </header>
)
