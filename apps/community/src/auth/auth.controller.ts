import { ApiProblems, ProblemValidationPipe } from '@laurel/activity';
import { Body, Controller, HttpCode, Post, UsePipes } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Credentials, Registration, Session } from './auth.dto';
import { AuthService } from './auth.service';

/** Registering and signing in. */
@ApiTags('auth')
@ApiProblems(400, 503)
@Controller('auth')
@UsePipes(ProblemValidationPipe)
export class AuthController {
  constructor(private readonly auth: AuthService) {}

  @Post('register')
  @ApiOperation({ summary: 'Registers a user and signs him in.' })
  @ApiCreatedResponse({ type: Session })
  @ApiProblems(409)
  register(@Body() body: Registration): Promise<Session> {
    return this.auth.register(body);
  }

  @Post('login')
  @HttpCode(200)
  @ApiOperation({ summary: 'Signs a user in.', description: 'A refusal does not say which part was wrong.' })
  @ApiOkResponse({ type: Session })
  @ApiProblems(401)
  login(@Body() body: Credentials): Promise<Session> {
    return this.auth.login(body);
  }
}
