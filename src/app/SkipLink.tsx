import './skip.css'

/** The first stop of the Tab key: past all that is the same on every screen. */
export const SkipLink = () => (
  <a className="skip" href="#screen">
    Skip to the screen
  </a>
)
