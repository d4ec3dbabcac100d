import { useEffect, useRef } from 'react'
import { Button } from './Button.tsx'
import './LoadMore.css'

type Props = { hasMore: boolean; loading: boolean; onMore: () => void; shown: number; total?: number; failed?: boolean }

/** The end of a list: loads by itself when it comes near, and is a button for the keyboard or after a failure. */
export const LoadMore = ({ hasMore, loading, onMore, shown, total, failed = false }: Props) => {
  const mark = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = mark.current
    if (!element || !hasMore || loading || failed) return
    const watcher = new IntersectionObserver(([entry]) => entry?.isIntersecting && onMore(), { rootMargin: '400px' })
    watcher.observe(element)
    return () => watcher.disconnect()
  }, [hasMore, loading, failed, onMore])
  return (
    <div ref={mark} className="ui-more">
      {hasMore ? (
        <Button kind="quiet" size="s" onClick={onMore} loading={loading}>
          {failed ? 'This did not load. Try again' : 'Load more'}
        </Button>
      ) : null}
      <span className="hint num" role="status">
        {total === undefined || shown === total
          ? `${shown.toLocaleString('en-US')} shown`
          : `${shown.toLocaleString('en-US')} of ${total.toLocaleString('en-US')}`}
      </span>
    </div>
  )
}
