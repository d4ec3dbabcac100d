/** Three mowed stripes on a marking flag: the mark beside the name. */
export const BrandMark = ({ size = 26 }: { size?: number }) => (
  <svg viewBox="0 0 26 26" width={size} height={size} aria-hidden="true">
    <rect width="26" height="26" rx="7" fill="#e2571e" />
    <path d="M5 20V6h3.4v14zM11.3 20V6h3.4v14zM17.6 20V6H21v14z" fill="#fff" />
  </svg>
)
