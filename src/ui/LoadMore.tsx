import { useEffect, useRef } from 'react'
import { Button } from './Button.tsx'
import './LoadMore.css'

type Props = {
  hasMore: boolean
  loading: boolean
  onMore: () => void
  shown: number
  total?: number
  failed?: boolean
  /** The day back to which a search has looked; it looks further only when somebody asks. */
  lookedBackTo?: string | undefined
}

/** The end of a list: loads by itself when it comes near, and is a button for the keyboard, after a failure or where a search stopped. */
export const LoadMore = ({ hasMore, loading, onMore, shown, total, failed = false, lookedBackTo }: Props) => {
  const mark = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = mark.current
    if (!element || !hasMore || loading || failed || lookedBackTo) return
    const watcher = new IntersectionObserver(([entry]) => entry?.isIntersecting && onMore(), { rootMargin: '400px' })
    watcher.observe(element)
    return () => watcher.disconnect()
  }, [hasMore, loading, failed, lookedBackTo, onMore])
  return (
    <div ref={mark} className="ui-more">
      {hasMore ? (
        <Button kind="quiet" size="s" onClick={onMore} loading={loading}>
          {failed ? 'This did not load. Try again' : lookedBackTo ? 'Look further back' : 'Load more'}
        </Button>
      ) : null}
      <span className="hint num" role="status">
        {lookedBackTo
          ? `${shown.toLocaleString('en-US')} found back to ${lookedBackTo}`
          : total === undefined || shown === total
            ? `${shown.toLocaleString('en-US')} shown`
            : `${shown.toLocaleString('en-US')} of ${total.toLocaleString('en-US')}`}
      </span>
    </div>
  )
}
