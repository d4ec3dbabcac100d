import { useEffect } from 'react'
import { useLocation } from 'react-router'
import { SenderCard } from '../domains/web/SenderCard.tsx'
import { RegistrationCard } from '../registration/web/RegistrationCard.tsx'

/** What mail and texts of the business leave from. They come after the screen, so they go themselves to where an address leads. */
export const SenderCards = () => {
  const { hash } = useLocation()
  useEffect(() => {
    if (hash === '#sender' || hash === '#texts') document.getElementById(hash.slice(1))?.scrollIntoView()
  }, [hash])
  return (
    <>
      <SenderCard />
      <RegistrationCard />
    </>
  )
}
