import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { IconCloudOff } from '../ui/icons.ts'
import { useConnection } from './connectivity.ts'
import './banners.css'

/** Says when the server cannot be reached, and goes away by itself. `words` are those of the crew app, which works on. */
export const ConnectionBanner = ({ words }: { words?: { kept: string; tryNow: string; trying: string } }) => {
  const client = useQueryClient()
  const { reached, checking, check } = useConnection(useCallback(() => void client.invalidateQueries(), [client]))
  if (reached) return null
  return (
    <div className="shell-banner shell-banner--away" role="status">
      <IconCloudOff size={18} aria-hidden="true" />
      <span>
        {words ? (
          <b>{words.kept}</b>
        ) : (
          <>
            <b>No connection to Swath.</b> What you see may be a little old. Nothing was lost; we keep trying.
          </>
        )}
      </span>
      <button type="button" onClick={check} disabled={checking}>
        {checking ? (words?.trying ?? 'Trying…') : (words?.tryNow ?? 'Try now')}
      </button>
    </div>
  )
}
