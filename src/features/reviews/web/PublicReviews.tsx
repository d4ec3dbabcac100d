import { useInfiniteQuery } from '@tanstack/react-query'
import { formatDay } from '../../../shared/dates.ts'
import { Button } from '../../../ui/Button.tsx'
import { Stars } from '../../../ui/Stars.tsx'
import { Counts } from './Counts.tsx'
import { publicReviewsQuery } from './data.ts'
import './reviews.css'

/** What customers say, on the public page; nothing where nobody said anything yet. */
export const PublicReviews = ({ slug, name }: { slug: string; name: string }) => {
  const found = useInfiniteQuery(publicReviewsQuery(slug))
  const pages = found.data?.pages
  const [first] = pages ?? []
  if (!first || first.count === 0) return null
  return (
    <section className="rv-public" aria-label="Reviews">
      <h2>What customers say</h2>
      <div className="rv-top">
        <Counts {...first} />
      </div>
      <ul className="rv-list">
        {pages
          ?.flatMap((page) => page.items)
          .map((one) => (
            <li key={one.id}>
              <div className="rv-head">
                <Stars value={one.stars} />
                <b>{one.author}</b>
                {one.city ? <span>{one.city}</span> : null}
                <span className="hint">{formatDay(one.day, { year: true })}</span>
              </div>
              {one.words ? (
                <p className="rv-words" lang={one.language}>
                  {one.words}
                </p>
              ) : null}
              {one.reply ? (
                <div className="rv-reply">
                  <b>Reply from {name}</b>
                  <p>{one.reply}</p>
                  {one.repliedBefore ? <p className="hint">Written before the review was changed.</p> : null}
                </div>
              ) : null}
            </li>
          ))}
      </ul>
      {found.hasNextPage ? (
        <Button onClick={() => void found.fetchNextPage()} loading={found.isFetchingNextPage}>
          {found.isFetchNextPageError ? 'This did not load. Try again' : 'More reviews'}
        </Button>
      ) : null}
    </section>
  )
}
