import { Stars } from '../../../ui/Stars.tsx'
import './reviews.css'

type Props = { average: number | null; count: number; counts: readonly number[] }

const reviewsWords = (count: number): string => (count === 1 ? '1 review' : `${count.toLocaleString('en-US')} reviews`)

/** The average, cut to one digit, and how many reviews there are of each star. */
export const Counts = ({ average, count, counts }: Props) =>
  average === null ? null : (
    <>
      <div className="rv-average">
        <b className="num">{average.toFixed(1)}</b>
        <span>
          <Stars value={average} size={22} />
          <span>{reviewsWords(count)}</span>
        </span>
      </div>
      <ul className="rv-bars" aria-label="How many of each">
        {[5, 4, 3, 2, 1].map((stars) => {
          const of = counts[stars - 1] ?? 0
          return (
            <li key={stars}>
              <span>{stars === 1 ? '1 star' : `${stars} stars`}</span>
              <i style={{ '--part': `${(of / count) * 100}%` } as never} />
              <span className="num">{of}</span>
            </li>
          )
        })}
      </ul>
    </>
  )
