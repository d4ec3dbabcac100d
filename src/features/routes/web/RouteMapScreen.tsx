import './routes.css'
import { RouteDay } from './RouteDay.tsx'
import { SavedRoutes } from './SavedRoutes.tsx'

/** The route map of the office: a day to plan and send, and what was sent. */
export const RouteMapScreen = ({ tab }: { tab: string }) => (tab === 'saved' ? <SavedRoutes /> : <RouteDay />)
