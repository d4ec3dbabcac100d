import { paths } from '../../../shared/paths.ts'

/** The way into the tour. Whoever serves the page takes it out where there is none (`withSite`). */
export const TourLink = () => (
  <p data-tour="" className="tour-link">
    <a className="btn big" href={paths.tour}>
      Take the tour
    </a>{' '}
    <span>See it live: a whole demo business, no account, nothing you can break.</span>
  </p>
)
