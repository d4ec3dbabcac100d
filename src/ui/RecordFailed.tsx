import { ApiError } from '#src/shared/client.ts'
import { Button } from './Button.tsx'
import { ErrorState } from './ErrorState.tsx'
import { IconArrowLeft } from './icons.ts'
import { RecordPanel } from './RecordPanel.tsx'

/** What its link does not lead to: removed, somebody else's, or an address that was cut off and names no record either. */
export const isGone = (error: unknown): boolean =>
  error instanceof ApiError && (error.code === 'not_found' || error.code === 'validation_failed')

type Way = {
  /** "job", "customer": as in "This job is not here any more". */
  what: string
  onClose: () => void
}

// An address that was cut off is nothing that support could look for.
const isBrokenLink = (error: unknown) => error instanceof ApiError && error.code === 'validation_failed'

const Gone = ({ what, error, onClose }: Way & { error?: unknown }) => (
  <>
    <ErrorState compact title={`This ${what} is not here any more`} error={isBrokenLink(error) ? undefined : error}>
      It may have been removed, or the link is incomplete. Nothing was changed.
    </ErrorState>
    <Button icon={<IconArrowLeft />} onClick={onClose}>
      Back
    </Button>
  </>
)

/** The body of a panel whose record did not come: gone for good, with the way back, or to be asked for again. */
export const RecordFailed = ({
  what,
  error,
  onClose,
  onRetry,
  retrying,
}: Way & { error: unknown; onRetry: () => unknown; retrying: boolean }) =>
  isGone(error) ? (
    <Gone what={what} error={error} onClose={onClose} />
  ) : (
    <ErrorState
      compact
      error={error}
      title={`We could not load this ${what}`}
      onRetry={() => void onRetry()}
      retrying={retrying}
    />
  )

/** The panel of a link whose record is in none of the lists that were loaded. */
export const RecordMissing = ({ what, onClose }: Way) => (
  <RecordPanel open onClose={onClose} title={what.charAt(0).toUpperCase() + what.slice(1)}>
    <Gone what={what} onClose={onClose} />
  </RecordPanel>
)
