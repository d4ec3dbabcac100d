import type { ReactNode } from 'react'
import { ApiError } from '#src/shared/client.ts'
import { Button } from './Button.tsx'
import './EmptyState.css'
import './ErrorState.css'
import { IconCloudOff, IconRefresh } from './icons.ts'

type Props = {
  error?: unknown
  title?: ReactNode
  children?: ReactNode
  onRetry?: () => void
  retrying?: boolean
  compact?: boolean
}

// A page asks for nothing wrong by itself: what the server cannot read came with the address.
const cutOff =
  'The address of this page is not complete, or was changed. Nothing was lost: open it again from the menu.'

/** What happened, that nothing was lost, what to do, and an id to quote to support. */
export const ErrorState = ({
  error,
  title = 'This did not load',
  children,
  onRetry,
  retrying = false,
  compact,
}: Props) => {
  const known = error instanceof ApiError ? error : null
  // asking again changes no role, and support cannot give one
  const isBarred = known?.code === 'forbidden' && known.details.because === 'role'
  return (
    <div className={`ui-empty ui-error${compact ? ' ui-empty--compact' : ''}`} role="alert">
      {compact ? null : <IconCloudOff className="ui-error__icon" size={40} stroke={1.5} aria-hidden="true" />}
      <h2>{isBarred ? 'This is not part of your role' : title}</h2>
      <p className="muted">
        {children ??
          (known?.code === 'validation_failed' ? cutOff : known?.message) ??
          'Something went wrong on our side. Nothing was lost.'}
      </p>
      {onRetry && !isBarred ? (
        <div className="ui-empty__action">
          <Button icon={<IconRefresh />} onClick={onRetry} loading={retrying}>
            Try again
          </Button>
        </div>
      ) : null}
      {known?.requestId && !isBarred ? <p className="hint">For support: {known.requestId}</p> : null}
    </div>
  )
}
