import './skip.css'

/** The first stop of the Tab key: past all that is the same on every screen. */
export const SkipLink = ({ label = 'Skip to the screen' }: { label?: string }) => (
  <a className="skip" href="#screen">
    {label}
  </a>
)
