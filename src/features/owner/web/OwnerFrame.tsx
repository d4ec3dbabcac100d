import type { ReactNode } from 'react'
import { brand } from '../../../shared/brand.ts'
import { Button } from '../../../ui/Button.tsx'
import { IconLock, IconLogout } from '../../../ui/icons.ts'
import './owner.css'
import { useOwner } from './session.ts'

/** What the product owner's screens have in common: whose they are, and the way out. */
export const OwnerFrame = ({
  place,
  onSignIn,
  children,
}: {
  place: string
  /** For a screen that can be read without a session. */
  onSignIn?: () => void
  children: ReactNode
}) => {
  const { token, signOut } = useOwner()
  return (
    <div className="owner-frame">
      <header className="owner-frame__head">
        <span className="owner-frame__brand">
          <span className="owner-frame__mark" aria-hidden="true">
            <i />
            <i />
            <i />
          </span>
          {brand.name}
        </span>
        <span className="owner-frame__place">{place}</span>
        {token === null ? (
          <Button kind="quiet" size="s" icon={<IconLock />} onClick={onSignIn}>
            Sign in
          </Button>
        ) : (
          <Button kind="quiet" size="s" icon={<IconLogout />} onClick={signOut}>
            Logout
          </Button>
        )}
      </header>
      {children}
    </div>
  )
}
