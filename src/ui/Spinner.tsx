import './Spinner.css'

export const Spinner = ({ size = 16 }: { size?: number }) => (
  <span className="ui-spinner" style={{ width: size, height: size }} aria-hidden="true" />
)
