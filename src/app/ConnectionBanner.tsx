import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { IconCloudOff } from '../ui/icons.ts'
import { useConnection } from './connectivity.ts'
import './banners.css'

/** Says when the server cannot be reached, and goes away by itself. */
export const ConnectionBanner = ({ crew = false }: { crew?: boolean }) => {
  const client = useQueryClient()
  const { reached, checking, check } = useConnection(useCallback(() => void client.invalidateQueries(), [client]))
  if (reached) return null
  return (
    <div className="shell-banner shell-banner--away" role="status">
      <IconCloudOff size={18} aria-hidden="true" />
      <span>
        {crew ? (
          <b>No signal. What you do is kept on this phone and sent later.</b>
        ) : (
          <>
            <b>No connection to Swath.</b> What you see may be a little old. Nothing was lost; we keep trying.
          </>
        )}
      </span>
      <button type="button" onClick={check} disabled={checking}>
        {checking ? 'Trying…' : 'Try now'}
      </button>
    </div>
  )
}
